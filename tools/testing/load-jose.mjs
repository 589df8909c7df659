// jwks-rsa requires jose, which is an ES module. Jest refuses that while it is linking jose for somebody else's import,
// so jose is loaded before everything else.
import 'jose';
