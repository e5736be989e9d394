import { createParser } from 'eventsource-parser';
import { getHappenings, type Happening, Happenings } from '#contract/happenings.ts';
import { requestFor } from '#contract/request.ts';

/** A stream of news as one operator has it open. */
export interface NewsStream {
  readonly status: number;
  readonly contentType: string;
  /** All it has been told so far. */
  readonly told: readonly Happenings[];
  /** The id of the last message. */
  readonly lastId: () => string | undefined;
  /** The happenings of all it has been told. */
  readonly happenings: () => readonly Happening[];
  /** Resolves when the server has ended it. */
  readonly ended: Promise<void>;
  /** Leaves. */
  close(): void;
}

/** Opens a stream, where it is refused only its status is of use. `onNews` hears each message as it comes. */
export async function openNews(
  origin: string,
  token: string,
  lastId?: string,
  onNews: (news: Happenings) => void = () => undefined,
): Promise<NewsStream> {
  const leaving = new AbortController();
  const response = await fetch(origin + requestFor(getHappenings, {}).url, {
    signal: leaving.signal,
    headers: {
      accept: 'text/event-stream',
      authorization: `Bearer ${token}`,
      ...(lastId === undefined ? {} : { 'last-event-id': lastId }),
    },
  });
  const told: Happenings[] = [];
  let last = lastId;
  const parser = createParser({
    onEvent: ({ data, id }) => {
      const news = Happenings.parse(JSON.parse(data));
      told.push(news);
      last = id;
      onNews(news);
    },
  });
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const bytes of response.body ?? []) parser.feed(decoder.decode(bytes, { stream: true }));
  };
  return {
    status: response.status,
    contentType: response.headers.get('content-type') ?? '',
    told,
    lastId: () => last,
    happenings: () => told.flatMap(({ happenings }) => happenings),
    ended: read().catch(() => undefined),
    close: () => leaving.abort(),
  };
}
