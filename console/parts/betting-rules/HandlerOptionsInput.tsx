import { listResultHandlers } from '#contract/bet-latitudes.ts';
import { useEndpoint } from '../../kit/call/index.ts';
import { type InputProps, OptionsInput } from '../../kit/form/index.ts';
import { Button } from '../../kit/overlay/index.ts';
import { PreviewTable } from './PreviewTable.tsx';
import { useTried } from './use-tried.ts';

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** A handler's parameters, and below them what the latitude as entered so far makes of the game's latest results. */
export function HandlerOptionsInput(props: InputProps & { readonly gameId: number }) {
  const { id, value, onChange, values, gameId } = props;
  const { data: handlers = [] } = useEndpoint(listResultHandlers, {}, { loading: false });
  const chosen = handlers.find(({ name }) => name === values.resultHandlerName);
  const entered = {
    gameId,
    id: typeof values.id === 'number' ? values.id : undefined,
    resultIndex: textOf(values.resultIndex),
    resultHandlerName: textOf(values.resultHandlerName),
    handlerOptions: textOf(value) || undefined,
  };
  const [tried, tryThis] = useTried<typeof entered>();
  const isTried = tried && JSON.stringify(tried.what) === JSON.stringify(entered);
  return (
    <>
      <OptionsInput id={id} value={value} onChange={onChange} fields={chosen?.options} />
      <div className="preview-start">
        <Button onClick={() => tryThis(entered)}>预览</Button>
        <small>用该游戏最近的开奖结果试算以上设置，不会保存</small>
      </div>
      {isTried && <PreviewTable key={tried.times} reading={tried.what} />}
    </>
  );
}
