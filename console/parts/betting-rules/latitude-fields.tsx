import type { FieldSpec } from '../../kit/form/index.ts';
import { HandlerInput } from './HandlerInput.ts';
import { HandlerOptionsInput } from './HandlerOptionsInput.tsx';

/** The form of a bet latitude of a game. */
export const latitudeFields = (gameId: number) =>
  [
    'name',
    { field: 'resultIndex', help: '投注维度', placeholder: '从 0 开始，如 0 或 0,1,2；* 为全部位置' },
    { field: 'resultHandlerName', help: '结果处理器', input: HandlerInput },
    {
      field: 'handlerOptions',
      input: (props) => <HandlerOptionsInput {...props} gameId={gameId} />,
    },
  ] as const satisfies readonly FieldSpec[];
