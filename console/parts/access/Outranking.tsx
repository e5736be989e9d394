import { failures } from '#contract/failures.ts';
import './access.css';

/** Stands in a row in place of the buttons that would be refused: it holds more than whoever looks at it. */
export const Outranking = () => (
  <span className="outranking" title={failures.targetOutranks.msg}>
    权限超出自己
  </span>
);
