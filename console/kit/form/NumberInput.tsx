import { type ComponentProps, useRef } from 'react';
import { plainNumber } from '#contract/number-text.ts';
import { isComposing } from './composing.ts';
import { TextInput } from './TextInput.tsx';

/**
 * One line for a number. What is pasted from a spreadsheet or typed in full width stands in it as the number that is sent; what an input
 * method is still composing is left alone. What is typed sign by sign is not shortened under the hand, since `1,234` may go on as
 * `1,234,567` and `1 2` is a slip: that waits until the field is left or sent.
 */
export function NumberInput({ value, onChange, ...rest }: ComponentProps<typeof TextInput>) {
  const composing = useRef(false);
  const typed = (text: string): string => {
    const plain = plainNumber(text);
    return text.length === value.length + 1 && plain.length < text.length ? text : plain;
  };
  const settle = ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => {
    const plain = plainNumber(currentTarget.value);
    if (plain !== currentTarget.value) onChange(plain);
  };
  return (
    <TextInput
      inputMode="decimal"
      {...rest}
      value={value}
      onCompositionStart={() => {
        composing.current = true;
      }}
      onCompositionEnd={({ currentTarget }) => {
        composing.current = false;
        onChange(plainNumber(currentTarget.value));
      }}
      onBlur={settle}
      onKeyDown={(event) => event.key === 'Enter' && !isComposing(event.nativeEvent) && settle(event)}
      onChange={(text) => onChange(composing.current ? text : typed(text))}
    />
  );
}
