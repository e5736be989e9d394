import { type ChangeEventHandler, useId, useState } from 'react';
import { failures } from '#contract/failures.ts';
import { told } from '../../kit/call/index.ts';
import { canBeGranted, type GrantNode, type GrantState, stateOf, toggled } from './grant-tree.ts';
import './grant-tree.css';

interface GrantTreeProps {
  readonly label: string;
  readonly nodes: readonly GrantNode[];
  readonly held: ReadonlySet<number>;
  readonly onChange: (held: ReadonlySet<number>) => void;
}

/** A tree of checkboxes: native ones, which keyboards and screen readers know. */
export function GrantTree({ label, nodes, held, onChange }: GrantTreeProps) {
  return (
    <fieldset className="grant-tree" aria-label={label}>
      <ul>
        {nodes.map((node) => (
          <Branch
            key={node.id}
            node={node}
            held={held}
            onToggle={(id) => onChange(toggled(nodes, held, id))}
          />
        ))}
      </ul>
    </fieldset>
  );
}

interface BranchProps {
  readonly node: GrantNode;
  readonly held: ReadonlySet<number>;
  readonly onToggle: (id: number) => void;
}

function Branch({ node, held, onToggle }: BranchProps) {
  const state = stateOf(node, held);
  const [open, setOpen] = useState(state === 'some');
  // Another tab may have the same tree open, whose boxes must not be the ones that a click here ticks.
  const id = useId();
  const isLeaf = node.children.length === 0;
  const title = told(node.title, 'contract/screens.ts');
  const disabled = state === 'none' && !canBeGranted(node);
  return (
    <li>
      <div className="grant-line">
        {isLeaf ? (
          <span className="grant-space" />
        ) : (
          <button
            type="button"
            className="list-toggle"
            aria-expanded={open}
            aria-label={`${open ? '收起' : '展开'}${title}`}
            onClick={() => setOpen(!open)}
          >
            <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
              <path d="M4 2.5 7.5 6 4 9.5" fill="none" stroke="currentColor" strokeWidth="1.6" />
            </svg>
          </button>
        )}
        <label htmlFor={id} title={disabled ? failures.grantNotHeld.msg : undefined}>
          <Checkbox
            id={id}
            state={state}
            disabled={disabled}
            aria-description={disabled ? failures.grantNotHeld.msg : undefined}
            onChange={() => onToggle(node.id)}
          />
          {title}
        </label>
      </div>
      {open && !isLeaf && (
        <ul>
          {node.children.map((child) => (
            <Branch key={child.id} node={child} held={held} onToggle={onToggle} />
          ))}
        </ul>
      )}
    </li>
  );
}

interface CheckboxProps {
  readonly id: string;
  readonly state: GrantState;
  readonly disabled: boolean;
  readonly onChange: ChangeEventHandler;
}

/** HTML has no attribute for a half-checked box, only a property. */
const Checkbox = ({ state, ...rest }: CheckboxProps) => (
  <input
    {...rest}
    type="checkbox"
    checked={state === 'all'}
    ref={(box) => {
      if (box) box.indeterminate = state === 'some';
    }}
  />
);
