import { type FormEvent, useId, useState } from 'react';
import { useSearchParams } from 'react-router';
import { nounOf } from '#contract/nouns.ts';
import type { NounName } from '#contract/ref.ts';
import { NumberInput } from '../../kit/form/index.ts';
import { Button, PlaceContext, ScreenLink } from '../../kit/overlay/index.ts';

interface RowFinderProps {
  readonly noun: NounName;
  /** Why the row that was asked for is not shown, and how it is asked for again. */
  readonly failed?: { readonly text: string; readonly onRetry: () => void } | null;
}

/** Asks whose page is wanted, where the address names no row or one that there is not. */
export function RowFinder({ noun, failed }: RowFinderProps) {
  const { title, screen } = nounOf(noun);
  const [, setParams] = useSearchParams();
  const [typed, setTyped] = useState('');
  const field = useId();
  const isId = /^[1-9]\d{0,14}$/.test(typed.trim());
  const open = (event: FormEvent) => {
    event.preventDefault();
    if (isId) setParams({ id: typed.trim() });
  };
  return (
    <PlaceContext value="toolbar">
      <form className="row-finder" onSubmit={open}>
        {failed && (
          <p role="alert">
            {failed.text} <Button onClick={failed.onRetry}>重新加载</Button>
          </p>
        )}
        <label htmlFor={field}>{`${title}编号`}</label>
        <NumberInput id={field} inputMode="numeric" value={typed} onChange={setTyped} />
        <Button type="submit" tone="primary" aria-disabled={!isId}>
          打开
        </Button>
        <ScreenLink to={screen}>{`从列表里查找${title}`}</ScreenLink>
      </form>
    </PlaceContext>
  );
}
