import { HandlerInput } from './HandlerInput.tsx';

/** The form of a bet latitude. */
export const latitudeFields = [
  'name',
  { field: 'resultIndex', placeholder: '从 0 开始，如 0 或 0,1,2；* 为全部位置' },
  { field: 'resultHandlerName', input: HandlerInput },
  { field: 'handlerOptions', placeholder: 'JSON 对象，如 {"from": 6}；留空用处理器的默认参数' },
] as const;
