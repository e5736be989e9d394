import { get } from 'node:http';

/** Whoever listens to what happens, in a process of its own: opens a stream for each token, says so once all are open, and reads on. */
process.on('message', ({ url, tokens }: { url: string; tokens: readonly string[] }) => {
  let open = 0;
  for (const token of tokens) {
    const headers = { accept: 'text/event-stream', authorization: `Bearer ${token}` };
    get(url, { headers, agent: false }, (response) => {
      if (response.statusCode !== 200) throw new Error(`a stream was answered with ${response.statusCode}`);
      response.once('data', () => ++open === tokens.length && process.send?.('open'));
      response.resume();
    });
  }
});
