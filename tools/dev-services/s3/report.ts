/** Tells whoever runs the server about something it survived, such as a damaged file. */
export type Report = (message: string) => void;

export const reportToConsole: Report = (message) => {
  console.error(`s3: ${message}`);
};
