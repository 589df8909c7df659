export type { FieldProblem, Problem } from './problem';
