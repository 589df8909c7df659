/**
 * Rejects imports of matching modules in every import syntax.
 * A pattern that begins with `^(?!` lists the allowed modules.
 */
const refuse = (modules, message) => ({
  selector: `:matches(ImportDeclaration, ImportExpression, TSImportType, ExportNamedDeclaration)[source.value=/${modules.source}/]`,
  message,
});

/** Rules for all code. */
export const COMMON = [
  { selector: 'ExportAllDeclaration', message: 'List the exports: a public API names what it exports.' },
  refuse(/^(node:)?process$/, '`process` is a global; read the environment in a main.ts and pass the value on.'),
];
/** Rules for production code: everything in apps and libs except tests. */
export const PRODUCTION = [
  ...COMMON,
  refuse(
    /(^|\/)testing(\/|$)|\.(contract|spec)$|^@jest\/|^fast-check$/,
    'Test code is imported by specs, by testing/ and by apps/*-e2e.',
  ),
];
const NO_DYNAMIC_IMPORT = {
  selector: 'ImportExpression',
  message: 'Import it statically: these rules cannot check a computed name.',
};
const FILE = String.raw`\w[\w.-]*`;
const refuseAllBut = (allowed, message) => refuse(new RegExp(`^(?!(${allowed.join('|')})$)`), message);
const CONTRACT_DOORS = [String.raw`@homeport\/kernel(\/node)?`, String.raw`@homeport\/\w+\/contracts`];
/**
 * A domain that has subjects is divided by subject first and layer second: a layer sees the same layer of a subject, and
 * of the domain itself.
 */
const layers = (names) => String.raw`\.\.\/\.\.\/(\w[\w-]*\/)?(${names.join('|')})\/${FILE}`;
export const DOMAIN = [
  ...PRODUCTION,
  NO_DYNAMIC_IMPORT,
  refuseAllBut(
    [
      String.raw`\.\/${FILE}`,
      layers(['domain']),
      'node:.*',
      'mime',
      'tldts',
      'zod',
      ...CONTRACT_DOORS,
      String.raw`@homeport\/organizations\/server`,
    ],
    'The domain is plain TypeScript: it imports the domain, the kernel, contracts, organizations, node:, mime, tldts and zod.',
  ),
];
export const APPLICATION = [
  ...PRODUCTION,
  NO_DYNAMIC_IMPORT,
  refuseAllBut(
    [
      String.raw`\.\/${FILE}`,
      String.raw`\.\.\/domain\/${FILE}`,
      layers(['domain', 'application']),
      'node:.*',
      'lru-cache',
      ...CONTRACT_DOORS,
      String.raw`@homeport\/organizations\/server`,
      String.raw`@homeport\/platform\/server\/(blobs|observability)`,
    ],
    'The application accesses external systems through its ports: it imports the application and the domain, the kernel, contracts, organizations, the platform doors blobs and observability, node: and lru-cache.',
  ),
];
/** Frameworks that the edge must not load: they take most of its start time and memory. */
export const FRAMEWORKS = ['@nestjs/*', 'typeorm'];
export const HOSTING = [
  ...PRODUCTION,
  refuse(
    /^@nestjs\/|^typeorm$|^reflect-metadata$|^@homeport\/(?!hosting\/|platform\/)\w+\/server(\/|$)|^@homeport\/platform\/server\/(database|http|jobs)$/,
    'The edge starts without Nest and TypeORM: use the doors node-http and postgres.',
  ),
];
export const KERNEL = [...PRODUCTION, refuse(/^(?!\.)/, 'The kernel depends on nothing.')];
export const CONTRACTS = [
  ...PRODUCTION,
  refuse(
    /^(?!\.|class-validator$|@homeport\/)/,
    'Contracts run in browsers and on the server: they import contracts and class-validator.',
  ),
];
export const WEB = [...PRODUCTION, refuse(/^node:/, 'The client runs in browsers, which have no Node modules.')];

/** Published packages: they run outside this workspace, without its code. */
export const API_CLIENT = [
  ...PRODUCTION,
  refuse(
    /^(?!\.|eventsource-parser$)/,
    'The API client runs in Node and browsers. It depends on nothing; eventsource-parser is part of its bundle.',
  ),
];
export const CLI = [
  ...PRODUCTION,
  refuse(
    /^@homeport\/(?!api-client$|kernel(\/node)?$)/,
    'The command line uses the HTTP API: it imports the API client and the kernel.',
  ),
];

/** A wait of browser tests that ends at once. */
export const ASYNC_WAIT = {
  selector: "CallExpression[callee.property.name='waitForFunction'] > ArrowFunctionExpression[async=true]",
  message: 'waitForFunction takes the promise for a result and does not wait. Use expect.poll.',
};
