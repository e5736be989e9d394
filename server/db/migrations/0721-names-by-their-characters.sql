-- The characters of a text that are not ASCII's. Trigrams know none of them where the locale of the database is C, as that of the product's own
-- is, and nowhere a part of less than three characters, while most Chinese names have two or three.
create function wide_letters(value text) returns text[] language sql immutable parallel safe
  return string_to_array(regexp_replace(lower(value), '[ -~]+', '', 'g'), null);
create index player_letters_username on player using gin (wide_letters(username));
create index player_letters_realname on player using gin (wide_letters("realName"));
create index player_letters_nickname on player using gin (wide_letters("nickName"));
