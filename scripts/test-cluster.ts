import { runFault } from './fault-run.ts';

// `npm run test:cluster` kills the parts of a real cluster on this machine; ROUNDS=1 for a quick look.
runFault('cluster.fault', '集群测试', {
  patroni: '/usr/bin/patroni',
  'python3-etcd': '/usr/lib/python3/dist-packages/etcd/__init__.py',
  'etcd-server': '/usr/bin/etcd',
  haproxy: '/usr/sbin/haproxy',
  pgbouncer: '/usr/sbin/pgbouncer',
  'postgresql-15': '/usr/lib/postgresql/15/bin/postgres',
  'postgresql-client-15': '/usr/lib/postgresql/15/bin/psql',
});
