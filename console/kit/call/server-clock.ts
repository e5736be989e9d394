let ahead = 0;

/** Takes the server's time from an answer, which every one of them carries. */
export function noteServerTime(headers: Headers): void {
  const time = Date.parse(headers.get('date') ?? '');
  if (!Number.isNaN(time)) ahead = time - Date.now();
}

/** What time it is at the server, to a second or so: the clock of the operator's computer may be wrong by days. */
export const serverNow = (): Date => new Date(Date.now() + ahead);
