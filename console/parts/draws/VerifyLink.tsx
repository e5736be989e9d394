interface VerifyLinkProps {
  readonly gameId: number;
  readonly phase: string;
  readonly children: string;
}

/** Leads to the page where anyone can check a local draw; it needs no sign-in, so it opens beside the console. */
export function VerifyLink({ gameId, phase, children }: VerifyLinkProps) {
  return (
    <a
      className="screen-link"
      href={`/verify/${gameId}/${encodeURIComponent(phase)}`}
      target="_blank"
      rel="noreferrer"
    >
      {children}
    </a>
  );
}
