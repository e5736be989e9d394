-- What a source is asked with and how often; see docs/decisions/0090-polite-sources.md.

alter table spider
  add headers text,
  add "pauseMs" integer not null default 3000 check ("pauseMs" between 200 and 60000),
  -- Who is asked, for turns: the address' host and port in lower case.
  add host text generated always as (lower(substring(url from '^[A-Za-z]+://([^/?#\\]+)'))) stored,
  -- The draw time of the phase that was asked for last, so that several missing ones take turns.
  add "askedTime" timestamptz,
  -- The last answer could be read, though there may have been no draw in it: no reason to ask less often.
  add answering boolean not null default true;
create index spider_host on spider (host) where enabled;
