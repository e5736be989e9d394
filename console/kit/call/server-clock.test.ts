import { expect, test } from 'vitest';
import { noteServerTime, serverNow } from './server-clock.ts';

const secondsFrom = (moment: Date): number => Math.abs(serverNow().getTime() - moment.getTime()) / 1000;

test('the time is the server’s as soon as it has answered, and the computer’s until then', () => {
  expect(secondsFrom(new Date())).toBeLessThan(1);
  const server = new Date('2031-05-06T07:08:09Z');
  noteServerTime(new Headers({ date: server.toUTCString() }));
  expect(secondsFrom(server)).toBeLessThan(2);
  noteServerTime(new Headers());
  noteServerTime(new Headers({ date: 'no time at all' }));
  expect(secondsFrom(server)).toBeLessThan(2);
});
