export interface ProcessMark {
  pid: number;
  birth: string;
}
export function birthOf(pid: number): string | undefined;
export function ownMark(): ProcessMark;
export function stillRuns(mark: ProcessMark): boolean;
