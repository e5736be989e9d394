import { useEffect, useRef, useState } from 'react';
import { goToError } from './FieldError.tsx';

/** Leads the keyboard to what is wrong in `frame`, once it stands there, each time that something was `refused`. */
export function useErrorFocus<Frame extends Element>() {
  const frame = useRef<Frame>(null);
  const [refusals, setRefusals] = useState(0);
  useEffect(() => {
    if (refusals > 0) goToError(frame.current);
  }, [refusals]);
  return { frame, refused: () => setRefusals((before) => before + 1) };
}
