import { type ComponentProps, useRef } from 'react';
import { plainNumber } from '#contract/number-text.ts';
import { TextInput } from './TextInput.tsx';

/**
 * One line for a number. What is pasted from a spreadsheet or typed in full width stands in it as the number that is sent; what an input
 * method is still composing is left alone.
 */
export function NumberInput({ onChange, ...rest }: ComponentProps<typeof TextInput>) {
  const composing = useRef(false);
  return (
    <TextInput
      inputMode="decimal"
      {...rest}
      onCompositionStart={() => {
        composing.current = true;
      }}
      onCompositionEnd={({ currentTarget }) => {
        composing.current = false;
        onChange(plainNumber(currentTarget.value));
      }}
      onChange={(text) => onChange(composing.current ? text : plainNumber(text))}
    />
  );
}
