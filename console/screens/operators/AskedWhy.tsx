import { useEffect } from 'react';
import { useSearchParams } from 'react-router';
import { listOperators } from '#contract/operators.ts';
import { toast, useEndpoint } from '../../kit/call/index.ts';
import { openDialog } from '../../kit/overlay/index.ts';
import { ExplainDialog } from '../../parts/access/ExplainDialog.tsx';

/** Opens the explanation that a refusal leads to, of the operator and the call or screen in the address. */
export function AskedWhy() {
  const [params, setParams] = useSearchParams();
  const [target, name] = [params.get('why'), params.get('userName') ?? ''];
  const { data } = useEndpoint(
    listOperators,
    { userName: name },
    { enabled: target !== null, loading: false },
  );
  const found = data?.find(({ userName }) => userName.toLowerCase() === name.toLowerCase());
  useEffect(() => {
    if (target === null || !data) return;
    if (found)
      openDialog(<ExplainDialog of="operator" id={found.id} name={found.userName} target={target} />);
    else toast('error', `操作员“${name}”已不存在，无法说明`);
    const rest = new URLSearchParams(params);
    rest.delete('why');
    setParams(rest, { replace: true });
  }, [target, data, found, name, params, setParams]);
  return null;
}
