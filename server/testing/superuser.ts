import { inject } from 'vitest';
import { connect, type Db } from '#server/db/database.ts';

/** One connection of the superuser of the tests to a database, for whom no guard of it holds. */
export const superuserOf = ({ url }: { readonly url: string }): Db =>
  connect(Object.assign(new URL(inject('adminUrl')), { pathname: new URL(url).pathname }).href, {
    timeZone: 'Asia/Shanghai',
    max: 1,
  });
