const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\]|.+\.localhost)$/;

/** Whether requests to the URL cannot be read in transit: https, or http to the loopback interface. */
export function isSecureUrl({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname));
}
