export { diff as findDifferences } from '@codemirror/merge';
