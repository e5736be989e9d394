import { Link } from 'react-router';
import { contract } from '#contract/all.ts';
import type { ChangeRecord } from '#contract/change-records.ts';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { rightsFor } from '#contract/missing-right.ts';
import { needsText, useMayOpen } from '../../kit/call/index.ts';
import { screenAddress } from '../../kit/overlay/index.ts';

const OPERATORS = '/main/pms/operator';

/** Leads from a change that was denied to why: what its operator may do now, and what is missing. Nothing for whoever may not read that. */
export function WhyLink({ userName, call, outcome }: ChangeRecord) {
  const explained = useMayOpen(OPERATORS);
  if (outcome !== 'DENIED' || !explained) return null;
  return (
    <Link className="screen-link screen-link-in-text" to={screenAddress(OPERATORS, { userName, why: call })}>
      为什么
    </Link>
  );
}

/** The rights any of which a call that was denied takes. */
export function NeededRights({ call, outcome }: ChangeRecord) {
  const endpoint = Object.entries<AnyEndpoint>(contract).find(([name]) => name === call)?.[1];
  const text = outcome === 'DENIED' && endpoint ? needsText(rightsFor(endpoint)) : '';
  return text === '' ? null : <p>{text}</p>;
}
