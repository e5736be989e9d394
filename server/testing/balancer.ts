import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** One address for several servers, as a load balancer before them. */
export interface Balancer {
  readonly origin: string;
  close(): void;
}

/** Gives each connection to the next server that takes it. */
export async function startBalancer(origins: readonly string[]): Promise<Balancer> {
  const ports = origins.map((origin) => Number(new URL(origin).port));
  const open = new Set<Socket>();
  let turn = 0;
  const pass = async (client: Socket): Promise<void> => {
    open.add(client);
    client.on('error', () => client.destroy()).on('close', () => open.delete(client));
    const first = turn++;
    for (const [tries] of ports.entries()) {
      const upstream = connect(ports[(first + tries) % ports.length] ?? 0, '127.0.0.1');
      const isOpen = await once(upstream, 'connect').then(
        () => true,
        () => false,
      );
      if (!isOpen) continue;
      upstream.on('error', () => client.destroy()).on('close', () => client.destroy());
      client.on('close', () => upstream.destroy());
      client.pipe(upstream).pipe(client);
      return;
    }
    client.destroy();
  };
  const server = createServer((client) => void pass(client)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close();
      for (const client of open) client.destroy();
    },
  };
}
