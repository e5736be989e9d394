import type { CallFailed } from '../../kit/call/index.ts';

/** Why what was to be tried cannot be: by its fields, which stand elsewhere in the form, or as a whole. */
export function TrialRefused({ error }: { readonly error: CallFailed }) {
  const reasons = Object.values(error.fieldErrors);
  return (
    <p role="alert" className="form-error">
      {reasons.length > 0 ? reasons.join('；') : error.message}
    </p>
  );
}
