export interface ClusterPlan {
  readonly folder: string;
  readonly fsid: string;
  /** Two ports of the monitor, one per protocol version, and the port of the gateway. */
  readonly ports: { readonly v2: number; readonly v1: number; readonly gateway: number };
}

/** Returns the monitor's addresses in Ceph's notation. */
export function monitorAddresses({ ports }: ClusterPlan): string {
  return `[v2:127.0.0.1:${ports.v2},v1:127.0.0.1:${ports.v1}]`;
}

/** Returns the `ceph.conf` of a cluster with one monitor and one storage daemon that keeps its objects in memory. */
export function configurationOf(plan: ClusterPlan): string {
  const { folder, fsid, ports } = plan;
  return `[global]
fsid = ${fsid}
mon_host = ${monitorAddresses(plan)}
mon_initial_members = a
public_addr = 127.0.0.1
keyring = ${folder}/keyring
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 8
osd_pool_default_pgp_num = 8
osd_crush_chooseleaf_type = 0
mon_warn_on_pool_no_redundancy = false
mon_allow_pool_size_one = true
mon_data = ${folder}/mon.a
mon_data_avail_warn = 1
mon_data_avail_crit = 1
osd_data = ${folder}/osd.$id
osd_objectstore = memstore
memstore_device_bytes = 4294967296
log_file = ${folder}/$name.log
pid_file = ${folder}/$name.pid
run_dir = ${folder}
admin_socket =
[client.rgw]
rgw_frontends = beast endpoint=127.0.0.1:${ports.gateway} tcp_nodelay=1
rgw_thread_pool_size = 64
rgw_data = ${folder}
debug_rgw = 0
`;
}
