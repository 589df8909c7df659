/** Reports a problem that the server tolerated, such as a damaged file. */
export type Report = (message: string) => void;

export const reportToConsole: Report = (message) => {
  console.error(`s3: ${message}`);
};
