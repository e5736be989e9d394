import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from '#server/testing/test-database.ts';
import { connect, type Db } from './database.ts';
import { during } from './driver/statements.ts';

let database: TestDatabase;
let db: Db;

beforeAll(async () => {
  database = await testDatabase();
  db = connect(database.url, { timeZone: 'Asia/Shanghai', max: 2 });
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

/** Asks for a connection, which is given back once `letGo` is called. */
function ask(caller: number | undefined, name: string) {
  const given = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();
  const hold = async (): Promise<void> => {
    given.resolve();
    await over.promise;
  };
  const ended = during({ kind: 'call', name, caller }, () => db.connection().execute(hold));
  let isGiven = false;
  void given.promise.then(() => {
    isGiven = true;
  });
  const letGo = (): Promise<void> => {
    over.resolve();
    return ended;
  };
  return { given: given.promise, isGiven: () => isGiven, letGo };
}

it('lets those go first who have fewer connections, however many another asks for', async () => {
  const first = ask(1, 'a list');
  const second = ask(1, 'another list');
  const third = ask(1, 'a third list');
  const fourth = ask(1, 'a fourth list');
  await Promise.all([first.given, second.given]);
  const another = ask(2, 'a list of another operator');
  const lookUp = ask(undefined, 'a token is looked up');
  await first.letGo();
  await another.given;
  expect([third, fourth, lookUp].map(({ isGiven }) => isGiven())).toEqual([false, false, false]);
  await another.letGo();
  await lookUp.given;
  expect([third, fourth].map(({ isGiven }) => isGiven())).toEqual([false, false]);
  // With nobody else in line they come in the order of asking.
  await second.letGo();
  await third.given;
  expect(fourth.isGiven()).toBe(false);
  await lookUp.letGo();
  await fourth.given;
  await Promise.all([third.letGo(), fourth.letGo()]);
});
