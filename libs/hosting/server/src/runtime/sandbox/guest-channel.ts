import { chmod } from 'node:fs/promises';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';

const NAMES = { control: 'control', http: 'http' } as const;

/**
 * Connects the runtime to a guest that inherits no descriptors: the guest connects to a socket of the runtime, and
 * creates the socket on which it serves HTTP. Then the folder is closed for writing, before the code of the app runs.
 */
export class GuestChannel {
  /** Resolves when the guest may run the app; stays pending when it never connects. */
  readonly control: Promise<Duplex>;

  private constructor(
    private readonly server: Server,
    private readonly folder: string,
  ) {
    this.control = once(server, 'connection').then(([socket]: unknown[]) => this.accept(socket as Duplex));
    this.control.catch(() => undefined);
  }

  /** @param folder that the guest sees as well. */
  static async listen(folder: string): Promise<GuestChannel> {
    const server = createServer();
    server.listen({ path: join(folder, NAMES.control), writableAll: true });
    await once(server, 'listening');
    await chmod(folder, 0o777);
    return new GuestChannel(server, folder);
  }

  /** The sockets in the folder, under the path by which a side sees it. */
  static pathsIn(folder: string): { readonly control: string; readonly http: string } {
    return { control: join(folder, NAMES.control), http: join(folder, NAMES.http) };
  }

  get socketPath(): string {
    return GuestChannel.pathsIn(this.folder).http;
  }

  close(): void {
    this.server.close();
  }

  private async accept(socket: Duplex): Promise<Duplex> {
    this.server.close();
    socket.on('error', () => undefined);
    // The guest writes when its socket exists.
    await once(socket, 'data');
    await chmod(this.folder, 0o555);
    socket.write('closed\n');
    return socket;
  }
}
