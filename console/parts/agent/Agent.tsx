import { agentName } from './agent-name.ts';

/** What somebody signed in with, in short; all of it at a hover. */
export const Agent = ({ agent }: { readonly agent: string }) => <span title={agent}>{agentName(agent)}</span>;
