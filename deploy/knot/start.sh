#!/bin/sh
# Starts Knot for docker-compose.public.yml. Knot cannot read variables, so this script writes its configuration. It
# writes the zone file at the first start only: later it contains the records of apps.
set -eu
umask 077

cat > /rundir/knot.conf <<CONFIGURATION
server:
  rundir: /rundir
  listen: 0.0.0.0@5353
log:
  - target: stderr
    any: warning
database:
  storage: /storage
key:
  - id: homeport
    algorithm: hmac-sha256
    secret: $RFC2136_KEY_SECRET
acl:
  - id: homeport
    key: homeport
    action: [update, transfer]
    update-type: [CNAME]
  - id: homeport-challenges
    key: homeport
    action: update
    update-type: [TXT]
    update-owner: name
    update-owner-match: sub
    update-owner-name: [acme]
zone:
  - domain: $APPS_DOMAIN
    file: /storage/$APPS_DOMAIN.zone
    zonefile-sync: 1m
    acl: [homeport, homeport-challenges]
CONFIGURATION

[ -e "/storage/$APPS_DOMAIN.zone" ] || cat > "/storage/$APPS_DOMAIN.zone" <<ZONE
\$TTL 60
@ SOA ns1.$PUBLIC_DOMAIN. hostmaster.$PUBLIC_DOMAIN. 1 3600 600 86400 5
@ NS ns1.$PUBLIC_DOMAIN.
; Previews of deploys have no records of apps.
* CNAME edge.$PUBLIC_DOMAIN.
ZONE

exec knotd -c /rundir/knot.conf
