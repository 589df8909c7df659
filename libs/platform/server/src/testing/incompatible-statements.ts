/** What the previous version cannot work with, and why. */
const RULES: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/^drop (table|schema|view|materialized view|function|type|sequence)\b/, 'removes what the previous version may use'],
  [/^truncate\b/, 'removes rows that the previous version may use'],
  [/^alter (table|type|function|schema|view|sequence)\b.*\brename\b/, 'renames what the previous version may use'],
  [/^alter table\b.*\bset schema\b/, 'renames what the previous version may use'],
  [/\bdrop (column )?(if exists )?(?!constraint|default|not null|identity|expression)"?\w+"?/, 'removes a column'],
  [/\balter (column )?"?\w+"? (set data )?type\b/, 'changes the type of a column'],
  [/\bset not null\b/, 'the previous version may store null'],
  [/\bdrop default\b/, 'the previous version may rely on the default'],
  [/\badd (constraint\b|check\b|unique\b|primary key\b|foreign key\b)/, 'the previous version may store other values'],
  [/^create unique index\b/, 'the previous version may store the value twice'],
];
/** Statements whose later words are no clauses of theirs. */
const ALTER_TABLE = /^alter table\b/;
const ONLY_IN_ALTER_TABLE = new Set([
  'removes a column',
  'changes the type of a column',
  'the previous version may store null',
  'the previous version may rely on the default',
  'the previous version may store other values',
]);
const NOT_NULL_COLUMN = /^add (column )?(if not exists )?(?!constraint|check|unique|primary|foreign)"?\w+"? /;

/**
 * Finds out whether the version that precedes the one with a migration keeps working while and after it runs: during a
 * rolling upgrade both use the database.
 * @param sql one or several statements.
 * @returns the reason for each statement that the previous version may not survive.
 */
export function incompatibleStatements(sql: string): readonly string[] {
  return statementsIn(sql).flatMap((statement) => {
    const found = RULES.find(
      ([pattern, reason]) =>
        (ALTER_TABLE.test(statement) || !ONLY_IN_ALTER_TABLE.has(reason)) && pattern.test(statement),
    );
    if (found) return [`${found[1]}: ${statement}`];
    return addsRequiredColumn(statement) ? [`the previous version does not fill the column: ${statement}`] : [];
  });
}

/** Without comments and strings, in lower case, with single spaces. A function in dollar quotes is a string. */
function statementsIn(sql: string): string[] {
  return sql
    .replaceAll(/\$(\w*)\$[^]*?\$\1\$/g, "''")
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .replaceAll(/--[^\n]*|\/\*[^]*?\*\//g, ' ')
    .toLowerCase()
    .split(';')
    .map((statement) => statement.replaceAll(/\s+/g, ' ').trim())
    .filter((statement) => statement !== '');
}

function addsRequiredColumn(statement: string): boolean {
  if (!ALTER_TABLE.test(statement)) return false;
  const clauses = statement.replace(/^alter table (if exists )?(only )?\S+ /, '').split(/, (?=add\b|alter\b|drop\b)/);
  return clauses.some(
    (clause) => NOT_NULL_COLUMN.test(clause) && clause.includes('not null') && !/\b(default|generated)\b/.test(clause),
  );
}
