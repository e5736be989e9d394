/**
 * What each function of the schema is for, by its name: `npm run schema` writes it above the function in schema.sql. A new function says it
 * in its migration instead, by `comment on function`. Codes such as BE002 are SQLSTATEs of our own.
 */
export const functionMeanings: Readonly<Record<string, string>> = {
  // Rows of any table
  as_money: 'An amount with two decimals, or more (up to four) where it needs them; null stays null.',
  grow_version: 'Grows the version of a row that changed. Its arguments name the columns that do not count.',
  refuse_change: 'Makes a table append-only: its rows are neither changed nor deleted.',
  note_happening: 'Appends what came or changed to `happening`, under the noun that the trigger names.',

  // Counted lists: see docs/decisions/0286 and 0470
  time_block: 'The number of the 1,024 seconds in which a moment lies.',
  time_blocks: 'A range of time, both ends included, as the fewest blocks of 2^bits seconds.',
  locate_rows:
    'How many rows a part of a counted list has, and below which id its row number `skipped` lies.',
  fold_list_deltas:
    'Adds some of list_delta to list_count. Returns how many rows it took, null while another one folds.',
  count_plain: 'Counts the rows of a list that is counted by time alone.',
  count_by_outcome: 'Counts the rows of a list by their outcome.',
  count_draw_plans: 'Counts plans by game and status.',
  count_draw_records: 'Counts records by game.',
  count_ledger: 'Counts ledger rows by their change type.',
  count_orders: 'Counts orders by status and payment type.',
  count_slips: 'Counts slips by game and status.',
  count_slip_lines: 'Counts slips by the play ways of their lines.',

  // Money
  ledger_direction: 'Whether a change type brings money IN or takes it OUT.',
  ledger_hash:
    'The link of a ledger row in the chain of its account: SHA-256 of the link before and the row as a JSON array.',
  debt_hash: 'The link of a debt in the chain of its account, made as ledger_hash makes one.',
  is_balance:
    'What holds of every account: the total is available and frozen money, neither below zero, and nothing is available while something is owed.',
  is_ledger_row:
    'What holds of every ledger row: its change type fits its direction, and its new amount follows from the one before.',
  post_entries:
    'Posts entries in their order: locks the accounts, writes the ledger, updates balances. With `alone` the others are posted where one cannot be, which its problem tells (MN001 to MN005); else none is. With `passing` locked accounts are passed over (BUSY).',
  post_held: 'The work of post_entries on accounts that are locked already.',
  post_foreign_entries:
    'Posts entries of the players’ site. One that was posted before is answered as it was then; MN004: with other content.',
  move_by_hand:
    'Posts credits and debits that operators make, with the change records and the answers under their keys, in one statement.',
  write_off_debt:
    'Writes off a part of what a player owes; gives the debt before and after. MN002: no such account, MN007: less is owed.',
  refuse_second_decision: 'Keeps a decided order as it was decided.',
  put_back_taken:
    'Puts back the orders that a session had taken when it ends, except those that are being decided at this moment.',

  // Plans, draws and results
  demand_new_snapshots:
    'Refuses to write draws under repeatable read, which would not see what others just committed (DR006).',
  check_new_plans:
    'Refuses a plan of a phase that has a result (DR001). Holds the game against records of phases without a plan.',
  check_new_records:
    'Refuses a record of a phase that still waits (DR002), or other than its promise has it (DR003). Holds the plan, or without one the game.',
  check_new_promises:
    'Refuses a promise for what is not planned or was drawn (DR004), or could be bet on without one (DR010).',
  check_new_beacon:
    'Refuses a public random value outside the time in which its promise waits for it (DR011).',
  refuse_reversal:
    'A plan or record keeps its phase, and a plan whose betting is over never waits again (DR005).',
  refuse_early_opening: 'A plan waits until its draw time (DR009).',
  refuse_results_of_void_phases: 'A void phase gets no result (DR007).',
  refuse_results_without_beacon:
    'A promised draw is not drawn without the public value that its promise names (DR012).',
  void_phase:
    'Voids the plan of a phase that is over and has no result (DR008). Recording holds the plan too, so one of both comes first.',
  keep_void_plan: 'The plan of a void phase neither changes nor goes (DR007).',
  keep_draw_entry:
    'A result that was entered by hand is final (DR013), but for its outcome, which is told once.',
  follow_local_spider: 'Calls follow_local_spiders when a spider changes.',
  follow_local_spiders:
    'Keeps local_game: whether a game draws by itself, by an enabled LocalDrawSpider, and since when.',
  keep_unpromised_phases:
    'Remembers phases whose betting began without a promise: they can no longer get one.',
  order_promises: 'Gives promises a serial number in the order in which they were made.',
  keep_former_source: 'Remembers the name of a source that is deleted, and when it last answered.',
  note_old_source: 'Notes by whose word a record stood before a correction.',
  keep_former_stop:
    'Remembers the stopBetSecond that held until a change, for phases whose betting had begun.',
  closing_of:
    'When the betting of a phase closes: before its draw by the stopBetSecond that held when it began, or when its public value comes out.',

  // Placing and cancelling slips: see docs/decisions/0276
  add_catalogue: 'Begins the catalogue version of a new game.',
  grow_catalogue:
    'Grows the catalogue version of the games whose betting rules changed: servers then read them anew.',
  grow_own_catalogue: 'Grows the catalogue version of a game that changed itself.',
  betting_key:
    'The advisory lock of a phase: whoever bets holds it shared, a settlement takes it exclusively and then sees every slip.',
  betting_patience: 'Limits how long placing or cancelling waits and works, since a settlement waits for it.',
  place_slips:
    'Places slips that came at the same moment, each by itself; tells what became of each. Locks slip, account, counters of limits, in this order.',
  cancel_slip: 'Cancels a slip before its phase closes, and gives back its stake.',
  keep_slip: 'What decides a slip is final, and a cancelled slip stays so (BE001).',
  plan_stands: 'Whether betting on a plan has begun, so that planning anew leaves it alone.',
  plan_is_bet_on: 'Whether there are slips on a plan.',
  keep_plans_with_slips: 'A plan with slips is not deleted (BE002), whoever bets on it at this moment.',
  keep_times_with_slips: 'A plan with slips keeps its times (BE002).',
  agent_chain: 'An agent and those above, the nearest first, as a slip keeps them.',

  // Limits and exposure
  limits_of:
    'The limits that hold for a play way, each with its scope: the row it comes from, so that bets under one limit are added up.',
  limit_takes: 'What lines take of each counter of limits, and the limit of that counter.',
  take_limits:
    'Adds what lines take to the counters; gives the first limit that this exceeds as {kind, most, left, playWayId, number}.',
  give_back_limits: 'Takes what lines took off the counters again.',
  counts_limits: 'Whether any limit of a game is counted.',
  apply_limits:
    'Puts changed limits in force, and counts anew what was bet before where they add up other sums.',
  recount_limits: 'Counts a phase anew by the limits as they are; nobody may bet on it meanwhile.',
  slips_take:
    'What the slips of a phase with ids within bounds take of the limits, all or the cancelled ones.',
  put_limits: 'Replaces the counters of a phase.',
  betting_mark:
    'The id of the last slip that may have been bet on a phase by now: all up to it are committed, or never will be.',
  count_ahead: 'Counts most of a phase by new limits while betting on it goes on.',
  count_rest:
    'Counts what came since count_ahead and writes the counters; nobody may bet on the phase meanwhile.',
  counted_kinds: 'Which sums a row of limits has counted, as text; empty for none.',
  phases_to_bet: 'The phases of games that take bets or are about to, in the order of locking.',
  give_back_voids:
    'Gives back to the counters of limits what lines took that became void, and takes it again where the void is undone.',
  exposed: 'What lines add to the exposure of their phase, by number where the rules allow it.',
  expose_slips: 'Adds new slips to the exposure, except those of test accounts.',
  expose_lines_anew:
    'Takes lines off the exposure when they are cancelled or void, and adds them when that is undone.',
  fold_exposure:
    'Adds exposure_delta to exposure. Returns how many rows it took, null while another one folds.',

  // Settlements
  settlement_key:
    'The advisory lock under which settlements of a phase begin, so that their ids are in the order of commits.',
  begin_settlement: 'Begins the settlement of a record, held while its sources disagree.',
  settle_new_records:
    'Begins a settlement for each new record whose phase has slips, or bettors at this moment.',
  settle_changed_record:
    'Begins a correction when the result of a record changes; holds the settlements of its phase while sources disagree.',
  settle_void_draw: 'Gives back what was bet on a phase whose promised draw cannot come.',
  settle_slips:
    'Writes what a batch makes of slips and lines, posts the money, and notes what is left of the batch. Gives what could not be posted: then the caller undoes it all.',
  rehearse_settling:
    'Runs every statement of settling on rows that do not exist, so that a session has its plans before they are needed.',

  // The report: see docs/decisions/0260
  report_day_start: 'How long after midnight a day of the report begins.',
  report_day: 'The day of the report in which a moment lies, in the zone of the session.',
  report_day_key:
    'The advisory lock of a day: whoever counts on it holds it shared, whoever closes it takes it exclusively.',
  open_report_day:
    'The day on which something counts that belongs to `wanted`: that day while it is open, else today or the next open one.',
  report_day_of_act: 'The day on which something counts that is done now.',
  set_slip_day: 'Sets the day of the report on which a new slip counts.',
  report_agents: 'The ids of the agents that a slip counts for: 0 for all, -1 for none.',
  count_slips_placed: 'Counts slips in the report when they are placed.',
  count_lines_changed: 'Counts in the report what settling or cancelling changed of lines.',
  count_report_entries: 'Counts report_entry in the report.',
  count_debts_written_off:
    'Counts a written-off debt in the report, for the agents of the slip it last came from.',
  count_rebates: 'Counts paid rebates in the report, on the day they are for.',
  fold_report_day: 'Adds some of report_delta of one day to the counters.',
  fold_report:
    'Adds report_delta to the counters. Returns how many rows it took, null while another one folds.',
  hold_report_day: 'Keeps everybody else from counting on a day until the transaction ends.',
  close_report_day:
    'Closes a day that is over, after hold_report_day and count_rebates. RP001: not over yet, RP002: closed already.',

  // Rebates
  rebates_stale: 'Marks rebates that are prepared but not released as out of date.',
  keep_run: 'Released rebates are final (BE001).',
  keep_released: 'Rows of released rebates are final, but for being marked as posted.',

  // Limits that players set themselves: see docs/decisions/0324
  keep_exclusion: 'An exclusion can be prolonged, and not shortened, before it ends (PL001).',
  hold_limited: 'Makes a changed limit of a player hold for whoever bets or pays in after its commit.',
  limit_at: 'The amount of a player’s limit at a moment, when a change to it may have come into force.',
  losses_used: 'What a player has lost in the period up to a moment.',
  loss_over: 'The loss limit that `more` would exceed first, as {period, most, left}; null where none.',
  take_losses: 'Counts what new slips may lose; gives the first loss limit that this exceeds.',
  move_losses: 'Corrects the counted losses of a player when slips are settled.',
  begin_losses: 'Begins to count the losses of a player, those of the running week and month included.',
  deposits_used: 'What a player has paid in within a period, with orders that are still to be decided.',
  deposits_one_by_one: 'Has the deposits of one player placed one after another, by an advisory lock.',
  deposit_in_the_way:
    'Why a deposit of a player is refused, as {problem, until, period, most, left}; null where nothing is in the way.',

  // The rest
  wide_letters:
    'The characters of a text that are not ASCII, in small letters: by them a part of a Chinese name is found.',
  keep_decided_approval: 'A decided approval is final.',
  demand_active_mail_config: 'While there are mail configs, one of them is active.',
  change_records_kept_since: 'The moment since when change records are kept.',
  refuse_early_deletion: 'Change records are not deleted before their time, by nobody.',
  delete_old_change_records:
    'Deletes some of the change records that need not be kept; gives how many. It has the right to delete only while it runs.',
};
