import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ImportReport } from '#contract/imports.ts';
import { readBehind } from '../call/ask-again.ts';
import { CallFailed } from '../call/call-failed.ts';
import { newIdempotencyKey } from '../call/idempotency-key.ts';
import { sendTable } from '../call/send-table.ts';
import type { ImportDialogProps } from './ImportDialog.tsx';

/** How far a table has come. */
export type ImportStage =
  | { readonly at: 'choosing' }
  | { readonly at: 'checking' | 'keeping'; readonly file: File }
  | { readonly at: 'checked'; readonly file: File; readonly report: ImportReport }
  | {
      readonly at: 'failed';
      readonly file: File;
      readonly message: string;
      /** What got no answer, and may have been kept all the same: sent again under its key, it is not kept twice. */
      readonly again?: { readonly file: File; readonly key: string | undefined } | undefined;
    };

/** Sends a table, to be checked or, under a key, to be kept; `onDone` once it is kept. */
export function useImport(props: ImportDialogProps, onDone: () => void) {
  const [stage, setStage] = useState<ImportStage>({ at: 'choosing' });
  const client = useQueryClient();
  const send = async (file: File, key?: string): Promise<void> => {
    setStage({ at: key === undefined ? 'checking' : 'keeping', file });
    try {
      const { report, done } = await sendTable({ ...props, file, key });
      if (!done) return setStage({ at: 'checked', file, report });
      void client.invalidateQueries();
      onDone();
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error;
      // It may have been kept all the same.
      if (key !== undefined && !error.settled) void readBehind();
      const again = error.settled ? undefined : { file, key };
      setStage({ at: 'failed', file, message: error.message, again });
    }
  };
  return {
    stage,
    check: (file: File) => void send(file),
    keep: (file: File) => void send(file, newIdempotencyKey()),
    retry: ({ file, key }: { file: File; key: string | undefined }) => void send(file, key),
  };
}
