// jwks-rsa requires jose, an ES module. Jest rejects this while it links jose for another module's import, so jose is
// loaded first.
import 'jose';
