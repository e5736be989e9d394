let tell = (_approvalId: number): void => undefined;

/** Who tells that a call waits for a second operator: whoever draws dialogs says so once. */
export function onSubmitted(teller: (approvalId: number) => void): void {
  tell = teller;
}

/** Tells that a call waits for a second operator. */
export const tellSubmitted = (approvalId: number): void => tell(approvalId);
