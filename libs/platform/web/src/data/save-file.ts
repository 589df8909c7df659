/** Downloads content as a file. A plain link to the API could not send the access token. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  clickDownloadLink(url, name);
  // Some browsers read the URL only after the click has been handled.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Downloads a URL of this origin that needs no access token, under the name that the response has. */
export function saveUrl(url: string): void {
  clickDownloadLink(url, '');
}

function clickDownloadLink(url: string, name: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
}
