-- What was drawn is kept for good, like slips: nobody deletes it, whatever else is cleaned.
create trigger draw_record_stays before delete or truncate on draw_record for each statement execute function refuse_change();
revoke delete, truncate on draw_record from public, current_user;
