import { resolve } from 'node:path';
import ts from 'typescript';

type Labels = Readonly<Record<string, string>>;

export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels: Labels };
  readonly data?: Labels;
  // The form depends on the kind; `typeErrorsOf` checks it.
  readonly spec?: Readonly<Record<string, unknown>>;
}

export interface Container {
  readonly name: string;
  readonly image: string;
  readonly restartPolicy?: string;
  readonly env: readonly { name: string; valueFrom: { secretKeyRef: { name: string; key: string } } }[];
  readonly envFrom: readonly { configMapRef: { name: string } }[];
  readonly ports: readonly { name: string; containerPort: number }[];
  readonly startupProbe: Probe;
  readonly livenessProbe: Probe;
  readonly readinessProbe?: Probe;
  readonly securityContext: Readonly<Record<string, unknown>>;
  readonly volumeMounts?: readonly { name: string; mountPath: string }[];
}

interface Probe {
  readonly httpGet?: { path: string; port: string };
  readonly exec?: { command: readonly string[] };
}

export interface Pod {
  readonly metadata: { readonly labels: Labels };
  readonly spec: {
    readonly containers: readonly Container[];
    readonly initContainers?: readonly Container[];
    readonly hostUsers?: boolean;
    readonly automountServiceAccountToken: boolean;
    readonly terminationGracePeriodSeconds: number;
    readonly securityContext: Readonly<Record<string, unknown>>;
    readonly volumes?: readonly { name: string; emptyDir: object }[];
  };
}

export const podOf = (deployment: KubernetesObject): Pod => deployment.spec?.['template'] as Pod;
export const containersOf = (deployment: KubernetesObject): Container[] => {
  const { containers, initContainers = [] } = podOf(deployment).spec;
  return [...initContainers, ...containers];
};

/** The objects of operators, whose types Kubernetes does not have. */
const isForeign = ({ apiVersion }: KubernetesObject) => apiVersion.startsWith('monitoring.coreos.com/');

/** The published types of Kubernetes are in modules named after the API, such as `apps/v1`. */
const moduleOf = (apiVersion: string) => `kubernetes-models/${apiVersion}`;

/**
 * Compares objects with the published types of Kubernetes: also unknown fields are errors, which an API server ignores.
 * @returns the messages of the compiler.
 */
export function typeErrorsOf(objects: readonly KubernetesObject[]): string[] {
  const lines = objects
    .filter((object) => !isForeign(object))
    .map((object, at) => {
      const type = `import('${moduleOf(object.apiVersion)}').I${object.kind}`;
      return `export const object${at}: ${type} = ${JSON.stringify(object)};`;
    });
  const path = resolve(import.meta.dirname, 'rendered-objects.ts');
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (name) => name === path || fileExists(name);
  host.getSourceFile = (name, ...rest) =>
    name === path ? ts.createSourceFile(name, lines.join('\n'), ts.ScriptTarget.Latest) : getSourceFile(name, ...rest);
  const program = ts.createProgram([path], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}
