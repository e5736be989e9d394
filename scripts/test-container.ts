import { runFault } from './fault-run.ts';

// `npm run test:container` builds the image on a base of its own making and starts the server in it.
runFault('container.fault', '容器测试', {
  buildah: '/usr/bin/buildah',
  debootstrap: '/usr/sbin/debootstrap',
});
