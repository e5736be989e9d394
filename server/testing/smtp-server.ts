import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export interface ReceivedMail {
  readonly secure: boolean;
  readonly user: string | undefined;
  readonly from: string;
  readonly to: readonly string[];
  readonly source: string;
}

export interface TestSmtpServer {
  readonly port: number;
  /** `127.0.0.1:port`, for SPIDER_ALLOWED_HOSTS. */
  readonly address: string;
  readonly received: ReceivedMail[];
  close(): Promise<void>;
}

/** A real SMTP server on a free port of 127.0.0.1, with STARTTLS (its own certificate) unless the options say otherwise. */
export async function startSmtpServer(options: SMTPServerOptions = {}): Promise<TestSmtpServer> {
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    closeTimeout: 100,
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { envelope, secure, user } = session;
        received.push({
          secure,
          user,
          from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
          to: envelope.rcptTo.map(({ address }) => address),
          source: Buffer.concat(chunks).toString('utf8'),
        });
        done();
      });
    },
    ...options,
  });
  // A client that hangs up is no failure of the test.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    port,
    address: `127.0.0.1:${port}`,
    received,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** Accepts one user with one password. */
export const onlyUser =
  (username: string, password: string): NonNullable<SMTPServerOptions['onAuth']> =>
  (auth, _session, done) => {
    if (auth.username === username && auth.password === password) return done(null, { user: username });
    done(Object.assign(new Error('Invalid credentials'), { responseCode: 535 }));
  };
