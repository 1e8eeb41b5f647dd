"""Libraries below /opt of a bare system, where no compiler and no loader looks, as a cluster has them: `module load` reaches them."""
import os
import shutil

HEADS = """\
#%Module
set root /opt/{name}/usr
set lib /opt/{name}/usr/lib/{multiarch}
prepend-path PATH $root/bin
prepend-path LD_LIBRARY_PATH $lib
prepend-path LIBRARY_PATH $lib
prepend-path CPATH $root/include
prepend-path CMAKE_PREFIX_PATH $root
"""


def follow(root, path):
    """Where a path of the system leads in the end, links of update-alternatives followed."""
    path = "/" + path
    while os.path.islink(f"{root}{path}"):
        path = os.path.normpath(os.path.join(os.path.dirname(path), os.readlink(f"{root}{path}")))
    return path.lstrip("/")


def move(donor, known, target, names):
    """Copies what is new in the donor into a folder of its own; `names` has the place of each file that went elsewhere before."""
    new = donor.files() - known
    for path in sorted(new):
        names[path] = target / path
    for path in sorted(new):
        place, source = target / path, donor.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        if not source.is_symlink():
            shutil.copy2(source, place)
        elif (end := follow(donor.root, path)) in names:
            place.symlink_to(os.path.relpath(names[end], place.parent))
        else:  # into the system itself, or nowhere
            place.symlink_to(os.readlink(source))
    return new


def settle(folder):
    """Scripts that compile know where they have been installed."""
    for script in (folder / "usr" / "bin").glob("h5*cc*"):
        if not script.is_symlink():
            script.write_text(script.read_text().replace('prefix="/usr"', f'prefix="/opt/{folder.name}/usr"'))


def install(system, modules, more, home):
    """Modules {name: packages} with what each sets besides (`more`), and {path: packages} of the user's own (`home`)."""
    donor, names = system.copy(), {}
    try:
        known = donor.files()
        multiarch = system.run("gcc -print-multiarch").strip()
        for name, packages in modules.items():
            donor.install(packages)
            known |= move(donor, known, system.root / "opt" / name, names)
            settle(system.root / "opt" / name)
            system.write(f"opt/modulefiles/{name}", HEADS.format(name=name, multiarch=multiarch) + more.get(name, ""))
        for path, packages in home.items():
            donor.install(packages)
            known |= move(donor, known, system.root / path.lstrip("/"), names)
    finally:
        donor.__exit__()
