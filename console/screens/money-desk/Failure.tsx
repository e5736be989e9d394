import type { CallFailed } from '../../kit/call/index.ts';

/** What the server says is wrong with a field. */
export const ownField = (failure: CallFailed | null, name: string) => {
  const text = failure?.fieldErrors[name];
  return text === undefined ? null : (
    <p className="form-error" role="alert">
      {text}
    </p>
  );
};

/** Why an order could not be decided, where no field says it. */
export function Failure({
  failure,
  fields,
}: {
  readonly failure: CallFailed | null;
  readonly fields: readonly string[];
}) {
  if (!failure || fields.some((name) => name in failure.fieldErrors)) return null;
  return (
    <p className="form-error" role="alert">
      {failure.message}
    </p>
  );
}
