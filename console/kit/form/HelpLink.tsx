import { Link } from 'react-router';
import { openRoutes } from '#contract/screens.ts';

/** Leads to what the handbook says; the form waits in its own tab meanwhile. */
export const HelpLink = ({ words }: { readonly words: string }) => (
  <Link
    className="form-help"
    to={`${openRoutes.document.path}?words=${encodeURIComponent(words)}`}
    aria-label="查看手册"
    aria-description={words}
    title="查看手册"
  >
    ?
  </Link>
);
