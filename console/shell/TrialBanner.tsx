import { useEffect, useState } from 'react';
import { endRoleTrial, getRoleTrial } from '#contract/role-trials.ts';
import { reloadAnew, useCommand, useEndpoint } from '../kit/call/index.ts';
import { Button } from '../kit/overlay/index.ts';

/** How often it is looked, while a role is tried on, whether it was laid aside: by itself, or from another program. */
const LOOK_MS = 15_000;

/** Says that a role is tried on, until when, and lets it be laid aside; everything is read anew once it is. */
export function TrialBanner() {
  const [tried, setTried] = useState(false);
  const everyMs = tried ? LOOK_MS : undefined;
  const { data } = useEndpoint(getRoleTrial, {}, { loading: false, quiet: true, everyMs });
  const { run, running } = useCommand(endRoleTrial, { tell: true });
  useEffect(() => {
    if (data) setTried(true);
    else if (data === null && tried) reloadAnew();
  }, [data, tried]);
  if (!data) return null;
  return (
    <div className="trial-banner" role="status">
      <span>
        {`正在试用角色“${data.role}”：只能查看，只显示您与该角色都有的权限；${data.until.slice(11)} 自动结束`}
      </span>
      <Button aria-disabled={running} onClick={() => void run({})}>
        退出试用
      </Button>
    </div>
  );
}
