import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to a database that can be cut or stopped up, as a network or a stopped process would. */
export interface TcpProxy {
  /** The database's address by this way. */
  readonly url: string;
  /** Takes connections and bytes, and passes none on. */
  hang(): void;
  /** Cuts what is connected and refuses everybody. */
  cut(): Promise<void>;
  /** Lets everything through again. */
  resume(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a way to the server that `target` names; `heard` is told what is sent there. */
export async function tcpProxy(target: string, heard?: (bytes: Buffer) => void): Promise<TcpProxy> {
  const { hostname, port } = new URL(target);
  const pairs = new Set<readonly [Socket, Socket]>();
  let hanging = false;
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    const pair = [client, upstream] as const;
    pairs.add(pair);
    const end = () => {
      pairs.delete(pair);
      for (const socket of pair) socket.destroy();
    };
    for (const socket of pair) {
      socket.on('error', end).on('close', end);
      if (hanging) socket.pause();
    }
    client.on('data', (bytes) => {
      heard?.(bytes);
      upstream.write(bytes);
    });
    upstream.on('data', (bytes) => client.write(bytes));
    if (hanging) for (const socket of pair) socket.pause();
  });
  const listen = async (at: number) => {
    server.listen(at, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const cutAll = () => {
    for (const [client] of pairs) client.destroy();
  };
  const own = await listen(0);
  const shut = async () => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    cutAll();
    await closed;
  };
  const url = new URL(target);
  url.host = `127.0.0.1:${own}`;
  return {
    url: url.href,
    hang: () => {
      hanging = true;
      for (const socket of [...pairs].flat()) socket.pause();
    },
    cut: shut,
    resume: async () => {
      hanging = false;
      for (const socket of [...pairs].flat()) socket.resume();
      if (!server.listening) await listen(own);
    },
    close: shut,
  };
}
