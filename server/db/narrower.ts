import type { GeneratedAlways } from 'kysely';
import type { AccountHistory } from '#contract/account-history.ts';
import type { ChatSession } from '#contract/chat-sessions.ts';
import type { ListView } from '#contract/list-preferences.ts';
import type { OutboxMail } from '#contract/mail-outbox.ts';
import type { OutcomeOdds } from '#contract/play-ways.ts';
import type { ResultRule } from '#contract/result-rules.ts';
import type { ReleaseRight } from '#contract/screens.ts';
import type { SelectionRule } from '#contract/selections.ts';
import type { SlipLine } from '#contract/slips.ts';
import type { Defaulted, JsonOf } from './columns.ts';
import type { StoredTables } from './tables/index.ts';

/**
 * Columns that hold less than their type allows, with no check constraint to say so. A column that does not exist, or a type that it could not
 * hold, does not compile.
 */
type Narrower = Narrowing<{
  account_history: { direction: AccountHistory['direction']; changeType: AccountHistory['changeType'] };
  approval: { release: ReleaseRight };
  chat_session: { authState: ChatSession['authState'] };
  game: { resultRule: JsonOf<ResultRule> | null };
  list_layout: { screen: ListView['screen'] };
  list_view: { screen: ListView['screen'] };
  mail_outbox: { template: OutboxMail['template'] };
  operator: { userNo: GeneratedAlways<string> };
  play_way: { selection: JsonOf<SelectionRule> | null; outcomes: Defaulted<JsonOf<readonly OutcomeOdds[]>> };
  slip_line: { odds: JsonOf<SlipLine['odds']> };
}>;

type Narrowing<
  N extends {
    [T in keyof N]: T extends keyof StoredTables
      ? { [C in keyof N[T]]: C extends keyof StoredTables[T] ? StoredTables[T][C] : never }
      : never;
  },
> = N;

/** The tables, by name. */
export type Tables = {
  [T in keyof StoredTables]: T extends keyof Narrower
    ? { [C in keyof StoredTables[T]]: C extends keyof Narrower[T] ? Narrower[T][C] : StoredTables[T][C] }
    : StoredTables[T];
};
