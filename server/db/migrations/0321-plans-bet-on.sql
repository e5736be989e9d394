-- Whether anybody bet on a plan; draws themselves know nothing of bets.
create function plan_is_bet_on(p draw_plan) returns boolean language sql stable
  return exists (select from slip s where s."gameId" = p."gameId" and s.phase = p.phase);
