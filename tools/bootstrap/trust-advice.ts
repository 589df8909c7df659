export interface Trust {
  /** The root certificate. */
  file: string;
  /** SHA-256. */
  fingerprint: string;
  /** Its serial number in hexadecimal digits. */
  serial: string;
  /** Of an app. */
  address: string;
}

/** Returns the text of `npm run trust`. */
export function trustAdvice({ file, fingerprint, serial, address }: Trust): string {
  const name = 'homeport-development';
  return `The certificates of this machine come from an authority of its own. Its root certificate is

  ${file}
  SHA-256 ${fingerprint}

Nothing trusts it yet. Whoever can read the key beside it, root-key.json, could pretend to be any site to those who
trust the root: trust it on development machines only, and never copy the key.

One program, without trusting it everywhere:
  curl --cacert ${file} ${address}
  NODE_EXTRA_CA_CERTS=${file} node app.mjs

Chromium and Chrome on Linux (package libnss3-tools):
  certutil -d sql:$HOME/.pki/nssdb -A -t C,, -n ${name} -i ${file}
  remove: certutil -d sql:$HOME/.pki/nssdb -D -n ${name}

Firefox: Settings, "Certificates", "View Certificates …", "Authorities", "Import …"; delete it there.

Debian and Ubuntu:
  sudo cp ${file} /usr/local/share/ca-certificates/${name}.crt && sudo update-ca-certificates
  remove: sudo rm /usr/local/share/ca-certificates/${name}.crt && sudo update-ca-certificates --fresh

Fedora:
  sudo trust anchor ${file}
  remove: sudo trust anchor --remove ${file}

macOS:
  security add-trusted-cert -r trustRoot -k ~/Library/Keychains/login.keychain-db ${file}
  remove: security remove-trusted-cert ${file}

Windows:
  certutil -user -addstore Root ${file}
  remove: certutil -user -delstore Root ${serial}

"npm run reset" removes the authority with the other data; the next start makes a new one.`;
}
