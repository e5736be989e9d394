import {
  getSignInNotices,
  type NewAddress,
  noteAddresses,
  type SignInNotices,
  setOwnEmail,
} from '#contract/sign-in-notices.ts';
import { useEndpoint } from '../../kit/call/index.ts';
import { CommandButton, FormButton } from '../../kit/form/index.ts';
import { NotLoaded } from '../../kit/overlay/index.ts';

/** Where the operator signed in for the first time, and where they are told of it. */
export function NoticesSection() {
  const { data: notices, error, refetch } = useEndpoint(getSignInNotices, {});
  return (
    <section className="safe" aria-label="登录提醒">
      <h1>登录提醒</h1>
      <p className="safe-hint">
        账号从没有用过的地址登录时，在这里与数据概览提醒；设置了邮箱并且系统配置了邮件时，也发邮件。
      </p>
      {notices && <Notices notices={notices} />}
      {!notices && error && (
        <NotLoaded title="登录提醒加载失败" text={error.message} onRetry={() => void refetch()} />
      )}
    </section>
  );
}

const Notices = ({ notices: { email, addresses } }: { readonly notices: SignInNotices }) => (
  <>
    {addresses.length > 0 && <Addresses addresses={addresses} />}
    <p>提醒邮箱：{email ?? '未设置'}</p>
    <FormButton endpoint={setOwnEmail} fields={['email', 'password']} initial={{ email }} title="提醒邮箱">
      设置邮箱
    </FormButton>
  </>
);

const Addresses = ({ addresses }: { readonly addresses: readonly NewAddress[] }) => (
  <>
    <ul className="safe-addresses" aria-label="新地址">
      {addresses.map(({ id, address, firstTime, agent, own }) => (
        <li key={id}>
          <strong>{address}</strong>，{firstTime} {own && '（本次登录所在，次日起可以确认）'}
          <br />
          <small>{agent}</small>
        </li>
      ))}
    </ul>
    {addresses.some(({ own }) => !own) && (
      <CommandButton endpoint={noteAddresses} input={{}}>
        是我本人，知道了
      </CommandButton>
    )}
  </>
);
